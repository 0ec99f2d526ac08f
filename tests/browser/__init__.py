"""The report as a person sees it: in headless Chromium."""
