/** Rows of the library's table as text. */
export const tableRows = (screen) => screen.evaluate(() => [...document.querySelectorAll('[data-test=library-table] [data-index]')].map((row) => row.innerText.replace(/\s+/g, ' ').trim()).filter(Boolean))
