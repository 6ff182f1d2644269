"""Commands of `poolrummy`, one module per subcommand."""
