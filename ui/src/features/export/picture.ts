/** A drawing on a canvas, with so many pixels for each of its own. */
async function painted(svg: string, width: number, height: number, scale: number): Promise<CanvasRenderingContext2D> {
  const image = new Image()
  image.src = svgAddress(svg)
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('there is nothing to draw on')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return context
}

/** A drawing as a PNG of so many pixels for each of its own. */
export async function toPng(svg: string, width: number, height: number, scale: number): Promise<Blob> {
  const { canvas } = await painted(svg, width, height, scale)
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => blob ? resolve(blob) : reject(new Error('the picture could not be made')), 'image/png')
  })
}

/** A drawing as pixels. */
export async function toPixels(svg: string, width: number, height: number, scale: number): Promise<ImageData> {
  const context = await painted(svg, width, height, scale)
  return context.getImageData(0, 0, context.canvas.width, context.canvas.height)
}

/** A drawing as an address that an image takes. */
export function svgAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}

/** What is printed. It is not seen on the screen, and stays until it is: on a Mac it is read after `print` has answered. */
let printed: HTMLElement | undefined

/** Prints pages with a heading and a drawing each; the system's own dialog makes a PDF of them as well. */
export async function printPages(pages: readonly { title: string, svg: string }[]): Promise<void> {
  printed?.remove()
  const sheet = document.createElement('div')
  printed = sheet
  sheet.className = 'print-sheet'
  for (const { title, svg } of pages) {
    const page = document.createElement('section')
    const heading = document.createElement('h1')
    heading.textContent = title
    const image = new Image()
    image.src = svgAddress(svg)
    image.alt = title
    page.append(heading, image)
    sheet.append(page)
  }
  document.body.append(sheet)
  try {
    await Promise.all([...sheet.querySelectorAll('img')].map(image => image.decode()))
    window.addEventListener('afterprint', () => sheet.remove(), { once: true })
    // In the app on a Mac it is the shell's, answers with a promise, and says there what went wrong.
    await (window.print as () => unknown)()
  } catch (fault) {
    sheet.remove()
    throw fault
  }
}
