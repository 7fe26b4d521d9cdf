"""What `ocm init` puts on a machine, and `ocm uninstall` takes away."""
