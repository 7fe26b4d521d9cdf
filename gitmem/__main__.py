from gitmem.cli.main import main

main()
