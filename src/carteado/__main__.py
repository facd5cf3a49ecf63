"""`python -m carteado` is `carteado`."""

from carteado.cli import main

main()
