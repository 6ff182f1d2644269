"""The projector: folds the feed of a partition into what people look at, saved together with its offset."""
