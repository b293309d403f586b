//! Measures a library: `cargo run --release -p honinbo-library --example bench -- LIBRARY [FILE...]` imports the files
//! and prints the report of `bench_library` as JSON.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(std::path::PathBuf::from);
    let library = arguments.next().ok_or("no library named")?;
    let report = honinbo_library::bench_library(&library, &arguments.collect::<Vec<_>>(), 0)?;
    #[expect(clippy::print_stdout, reason = "an example says what it measured")]
    {
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(())
}
