"""The validator: judges shows and counts hands, from the feed into the inbox."""
