//! A message in the words of the revision that reads it.
