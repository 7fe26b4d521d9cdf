"""Plans of `ocm init` and `ocm uninstall`."""
