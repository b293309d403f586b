import { mount } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import AppMarkdown from './AppMarkdown'

const show = (text: string) => mount(AppMarkdown, { props: { text } })

describe('text in Markdown', () => {
  test('is laid out', () => {
    const wrapper = show('# 本因坊\n\nThe **ear-reddening** move:\n\n1. first\n2. *second*\n\n> quoted\n\n`Q16`')
    expect(wrapper.get('h3').text()).toBe('本因坊')
    expect(wrapper.get('strong').text()).toBe('ear-reddening')
    expect(wrapper.findAll('ol > li').map(item => item.text())).toEqual(['first', 'second'])
    expect(wrapper.get('blockquote').text()).toBe('quoted')
    expect(wrapper.get('code').text()).toBe('Q16')
  })

  test('draws the pictures that the window carries, and no other', () => {
    const wrapper = mount(AppMarkdown, { props: { text: '![a board](own.png) ![b](toString) ![c](//x/own.png)', pictures: { 'own.png': '/assets/own-1.png' } } })
    expect(wrapper.findAll('img').map(picture => [picture.attributes('src'), picture.attributes('alt')])).toEqual([['/assets/own-1.png', 'a board']])
  })

  test('keeps line breaks, as comments of records have them', () => {
    expect(show('one\ntwo').findAll('br')).toHaveLength(1)
  })

  test.each([
    '<script>document.title = 1</script>', '<img src=x onerror="document.title=1">', '<b onclick="x()">bold</b>',
    'text <iframe src="//x"></iframe> text', '[x](javascript:alert(1))', '![x](http://example.org/x.png)', '<svg/onload=alert(1)>',
  ])('draws no element, no address and no picture that the text asks for: %s', (text) => {
    const wrapper = show(text)
    expect(wrapper.findAll('script, img, iframe, a, b, svg, [onclick], [onerror], [href], [src]')).toHaveLength(0)
    expect(wrapper.text()).not.toBe('')
  })

  test('what looks like markup is read as it was written', () => {
    expect(show('a < b & c > d "e"').text()).toBe('a < b & c > d "e"')
    expect(show('<script>x</script>').text()).toBe('<script>x</script>')
  })

  test('endless nesting and endless text do no harm', () => {
    expect(show('> '.repeat(5000) + 'deep').text()).toContain('deep')
    expect(show('*'.repeat(20_000)).exists()).toBe(true)
    expect(show('word '.repeat(40_000)).text()).toContain('word')
  })
})

test('only a text of our own names its headings', () => {
  const text = '### <a id="win-rate"></a>Win *rate*'
  const own = mount(AppMarkdown, { props: { text, anchors: 'manual-' } }).get('h5')
  expect([own.attributes('id'), own.text(), own.find('em').exists()]).toEqual(['manual-win-rate', 'Win rate', true])
  const comment = mount(AppMarkdown, { props: { text } }).get('h5')
  expect([comment.attributes('id'), comment.text()]).toEqual([undefined, '<a id="win-rate"></a>Win rate'])
})
