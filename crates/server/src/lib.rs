//! The TCP JSON service and the web app.
