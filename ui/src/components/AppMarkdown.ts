import { lexer, type Token, type Tokens } from 'marked'
import { defineComponent, h, type PropType, type VNode } from 'vue'

/** The longest text that is laid out; a longer one is shown as it is. */
const MAX_LENGTH = 100_000
/** Lists and quotes inside one another, as deep as they are drawn. */
const MAX_DEPTH = 12

type Pictures = Readonly<Record<string, string>>

/** How an anchor stands before the words of a heading, for every reader of Markdown. */
const ANCHOR = /^<a id="([a-z-]+)">$/

/**
 * Text in Markdown. The words are taken apart by `marked` and drawn as elements of ours: markup in the text stays text,
 * pictures are named and not fetched, and links are shown with their address and lead nowhere by themselves. Only where
 * the window carries a picture itself (`pictures`: from the address in the text to its own) it is drawn, and only a text of
 * our own may name headings (`anchors`: what their names begin with).
 */
export default defineComponent({
  name: 'AppMarkdown',
  props: { text: { type: String, required: true }, pictures: { type: Object as PropType<Pictures>, default: () => ({}) }, anchors: { type: String, default: '' } },
  setup(props) {
    return () => h('div', { class: 'markdown', dir: 'auto' }, drawn(props.text, props.pictures, props.anchors))
  },
})

function drawn(text: string, pictures: Pictures, anchors: string): (VNode | string)[] {
  if (text.length > MAX_LENGTH) return [text]
  try {
    return blocks(lexer(text, { gfm: true, breaks: true }), 0, pictures, anchors)
  } catch {
    return [text]
  }
}

function blocks(tokens: readonly Token[], depth: number, pictures: Pictures, anchors = ''): (VNode | string)[] {
  if (depth > MAX_DEPTH) return tokens.map(token => token.raw)
  return tokens.flatMap((token): (VNode | string)[] => {
    switch (token.type) {
      case 'space': case 'def': return []
      // The window has headings of its own: those of a comment come after them.
      case 'heading': {
        const tag = `h${Math.min(6, (token as Tokens.Heading).depth + 2)}`
        const words = token.tokens ?? []
        const anchor = anchors && ANCHOR.exec(words[0]?.raw ?? '')?.[1]
        // The anchor is two tokens, its beginning and its end.
        return anchor ? [h(tag, { id: `${anchors}${anchor}`, tabindex: -1 }, inline(words.slice(2), depth + 1, pictures))] : [h(tag, inline(words, depth + 1, pictures))]
      }
      case 'paragraph': return [h('p', inline(token.tokens ?? [], depth + 1, pictures))]
      case 'text': return inline(token.tokens ?? [token], depth + 1, pictures)
      case 'blockquote': return [h('blockquote', blocks(token.tokens ?? [], depth + 1, pictures))]
      case 'code': return [h('pre', [h('code', (token as Tokens.Code).text)])]
      case 'hr': return [h('hr')]
      case 'list': {
        const { ordered, start, items } = token as Tokens.List
        return [h(ordered ? 'ol' : 'ul', typeof start === 'number' && start > 1 ? { start } : {}, items.map(item => h('li', blocks(item.tokens, depth + 1, pictures))))]
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td'): VNode => h('tr', cells.map(cell => h(tag, inline(cell.tokens, depth + 1, pictures))))
        return [h('table', [h('thead', [row(header, 'th')]), h('tbody', rows.map(cells => row(cells, 'td')))])]
      }
      default: return [token.raw]
    }
  })
}

function inline(tokens: readonly Token[], depth: number, pictures: Pictures): (VNode | string)[] {
  if (depth > MAX_DEPTH) return tokens.map(token => token.raw)
  return tokens.flatMap((token): (VNode | string)[] => {
    const within = (): (VNode | string)[] => inline('tokens' in token ? token.tokens ?? [] : [], depth + 1, pictures)
    switch (token.type) {
      case 'strong': return [h('strong', within())]
      case 'em': return [h('em', within())]
      case 'del': return [h('del', within())]
      case 'codespan': return [h('code', (token as Tokens.Codespan).text)]
      case 'br': return [h('br')]
      case 'escape': return [(token as Tokens.Escape).text]
      case 'link': {
        const { href, text } = token as Tokens.Link
        return text === href ? [h('span', { class: 'address' }, href)] : [...within(), ' ', h('span', { class: 'address' }, href)]
      }
      case 'image': {
        const { text, href } = token as Tokens.Image
        const src = Object.hasOwn(pictures, href) ? pictures[href] : undefined
        return [src ? h('img', { src, alt: text, loading: 'lazy' }) : h('span', { class: 'address' }, text || href)]
      }
      case 'text': return 'tokens' in token && token.tokens ? within() : [unescaped((token as Tokens.Text).text)]
      default: return [token.raw]
    }
  })
}

/** Some versions of the lexer hand over entities for the five signs that markup knows. */
function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ({ 'lt': '<', 'gt': '>', 'amp': '&', 'quot': '"', '#39': '\'' })[name] ?? '')
}
