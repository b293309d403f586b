// Words in Latin letters on a page that should have none of its own.

/**
 * What is shown or read out in Latin letters, but for names of points and keys, formats, programs, people's names and
 * files, names of the machine's parts (`data-names`), and what says by its `lang` that it is another language. Runs inside
 * the page, so it uses nothing from outside.
 */
export function latinWords() {
  const open = [...document.querySelectorAll('[role=menu], [role=dialog], [role=alertdialog]')].filter((element) => element.getBoundingClientRect().width > 0)
  const scope = open.at(-1) ?? document.body
  const NAMES = /\b(?:Honinbo|honinbo serve|honinbo net runtime add|NVIDIA|Intel|DirectML|OpenVINO|TensorRT|cuDNN|KataGo|Leela Zero|GNU Go|gnugo(?: --\w+ \w+)*|GTP|Elo|MiB|MB|CPU|cpu|GPU|CUDA|WebGPU|ONNX Runtime \S+(?: \w+)?|ONNX Runtime|SGF|GIB|NGF|UGF|PNG|SVG|GIF|PDF|CSV|AGA|Tromp-Taylor|kata-analyze|lz-analyze|katago analysis|networks|Ctrl|Shift|Alt|Esc|Home|End|Del|Page Up|Page Down|F\d+)\b|\bg170-\S+|\bb\d+c\d+\S*/g
  // The longest first: a part of another name would leave its rest.
  const parts = [...document.querySelectorAll('[data-names]')].map((element) => element.dataset.names).filter(Boolean).sort((one, other) => other.length - one.length)
  const found = new Set()
  const look = (text, element) => {
    if (element.closest('[lang]:not(html), .visually-hidden select') || element.closest('option[lang], kbd')) return
    const rest = parts.reduce((left, part) => left.replaceAll(part, ' '), text).replace(NAMES, ' ')
    if (/[A-Za-z]{2,}/.test(rest)) found.add(text.trim().replace(/\s+/g, ' '))
  }
  for (const element of scope.querySelectorAll('*')) {
    if (!element.checkVisibility() || ['STYLE', 'SCRIPT'].includes(element.tagName)) continue
    for (const node of element.childNodes) if (node.nodeName === '#text' && node.textContent.trim()) look(node.textContent, element)
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext']) {
      const said = element.getAttribute(name)
      if (said) look(said, element)
    }
  }
  return [...found]
}
