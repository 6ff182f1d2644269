"""The backend of a 13-card Indian Pool Rummy platform: dealer, validator, projector and audit over Redis streams."""
