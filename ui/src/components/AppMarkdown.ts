import { lexer, type Token, type Tokens } from 'marked'
import { defineComponent, h, type PropType, type VNode } from 'vue'

/** The longest text that is laid out; a longer one is shown as it is. */
const MAX_LENGTH = 100_000
/** Lists and quotes inside one another, as deep as they are drawn. */
const MAX_DEPTH = 12

type Pictures = Readonly<Record<string, string>>

/** What a text may draw beside its own words. */
interface Given {
  readonly pictures: Pictures
  /** What stands for a word that may name a point. */
  readonly named: (word: string) => VNode | string
}

/** A word that may name a point of a board, such as Q16. */
const NAME = /(?<![A-Za-z0-9])([A-HJ-Z]{1,2}[1-9]\d?)(?![A-Za-z0-9])/

/** How an anchor stands before the words of a heading, for every reader of Markdown. */
const ANCHOR = /^<a id="([a-z-]+)">$/

/**
 * Text in Markdown. The words are taken apart by `marked` and drawn as elements of ours: markup in the text stays text,
 * pictures are named and not fetched, and links are shown with their address and lead nowhere by themselves. Only where
 * the window carries a picture itself (`pictures`: from the address in the text to its own) it is drawn, and only a text of
 * our own may name headings (`anchors`: what their names begin with). Words for which `isName` answers yes are told while the
 * pointer or the focus is on them.
 */
export default defineComponent({
  name: 'AppMarkdown',
  props: { text: { type: String, required: true }, pictures: { type: Object as PropType<Pictures>, default: () => ({}) }, anchors: { type: String, default: '' }, isName: { type: Function as PropType<(word: string) => boolean>, default: undefined } },
  emits: { name: (word: string | undefined) => word === undefined || word !== '' },
  setup(props, { emit }) {
    const on = (word: string): Record<string, () => void> => {
      const [enter, leave] = [() => emit('name', word), () => emit('name', undefined)]
      return { onPointerenter: enter, onPointerleave: leave, onFocus: enter, onBlur: leave }
    }
    const named = (word: string): VNode | string => props.isName?.(word) ? h('span', { class: 'name', tabindex: 0, ...on(word) }, word) : word
    return () => h('div', { class: 'markdown', dir: 'auto' }, drawn(props.text, { pictures: props.pictures, named }, props.anchors))
  },
})

function drawn(text: string, given: Given, anchors: string): (VNode | string)[] {
  if (text.length > MAX_LENGTH) return [text]
  try {
    return blocks(lexer(text, { gfm: true, breaks: true }), 0, given, anchors)
  } catch {
    return [text]
  }
}

function blocks(tokens: readonly Token[], depth: number, given: Given, anchors = ''): (VNode | string)[] {
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
        return anchor ? [h(tag, { id: `${anchors}${anchor}`, tabindex: -1 }, inline(words.slice(2), depth + 1, given))] : [h(tag, inline(words, depth + 1, given))]
      }
      case 'paragraph': return [h('p', inline(token.tokens ?? [], depth + 1, given))]
      case 'text': return inline(token.tokens ?? [token], depth + 1, given)
      case 'blockquote': return [h('blockquote', blocks(token.tokens ?? [], depth + 1, given))]
      case 'code': return [h('pre', [h('code', (token as Tokens.Code).text)])]
      case 'hr': return [h('hr')]
      case 'list': {
        const { ordered, start, items } = token as Tokens.List
        return [h(ordered ? 'ol' : 'ul', typeof start === 'number' && start > 1 ? { start } : {}, items.map(item => h('li', blocks(item.tokens, depth + 1, given))))]
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td'): VNode => h('tr', cells.map(cell => h(tag, inline(cell.tokens, depth + 1, given))))
        return [h('table', [h('thead', [row(header, 'th')]), h('tbody', rows.map(cells => row(cells, 'td')))])]
      }
      default: return [token.raw]
    }
  })
}

function inline(tokens: readonly Token[], depth: number, given: Given): (VNode | string)[] {
  if (depth > MAX_DEPTH) return tokens.map(token => token.raw)
  return tokens.flatMap((token): (VNode | string)[] => {
    const within = (): (VNode | string)[] => inline('tokens' in token ? token.tokens ?? [] : [], depth + 1, given)
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
        const src = Object.hasOwn(given.pictures, href) ? given.pictures[href] : undefined
        return [src ? h('img', { src, alt: text, loading: 'lazy' }) : h('span', { class: 'address' }, text || href)]
      }
      case 'text': return 'tokens' in token && token.tokens ? within() : withNames(unescaped((token as Tokens.Text).text), given)
      default: return [token.raw]
    }
  })
}

/** A text whose words that name points stand for themselves. */
function withNames(text: string, { named }: Given): (VNode | string)[] {
  // Splitting by a group gives the names at the odd places.
  return text.split(NAME).map((part, index) => index % 2 === 1 ? named(part) : part).filter(part => part !== '')
}

/** Some versions of the lexer hand over entities for the five signs that markup knows. */
function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ({ 'lt': '<', 'gt': '>', 'amp': '&', 'quot': '"', '#39': '\'' })[name] ?? '')
}
