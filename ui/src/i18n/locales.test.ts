import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chooseLanguage, i18n, LANGUAGES, say, switchLanguage } from './index'
import en from './locales/en.json'

type Tree = { [key: string]: string | Tree }
function flat(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value)
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) found.set(inner, text)
  }
  return found
}
const placeholders = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? ''))].sort()

const folder = join(import.meta.dirname, 'locales')
const files = readdirSync(folder)
const english = flat(en)

test('every language of the menu has its file, and every file is in the menu', () => {
  expect(files.map(file => file.replace('.json', '')).sort()).toEqual(Object.keys(LANGUAGES).sort())
})

describe.each(files)('%s', (file) => {
  const words = flat(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree)

  test('has every message and no other, in order', () => {
    expect([...words.keys()]).toEqual([...english.keys()])
    const keys = [...words.keys()]
    expect(keys).toEqual([...keys].sort((a, b) => {
      const left = a.split('.')
      const right = b.split('.')
      for (let part = 0; ; part++) if (left[part] !== right[part]) return (left[part] ?? '') < (right[part] ?? '') ? -1 : 1
    }))
  })

  test('names what the English names', () => {
    for (const [key, text] of words) {
      const wanted = placeholders(english.get(key) ?? '')
      const given = placeholders(text)
      // The number of a plural may be left to the words: "one game".
      expect({ key, given: given.filter(name => !wanted.includes(name)) }).toEqual({ key, given: [] })
      expect({ key, missing: wanted.filter(name => !given.includes(name)) }).toEqual({ key, missing: [] })
    }
  })

  test('leaves nothing empty and nothing in English', () => {
    for (const [key, text] of words) {
      expect({ key, text: text.trim() }).not.toEqual({ key, text: '' })
      if (file === 'en.json' || /^(key|format|shell\.(ofMoves|sweeping|brand)|game\.choose\.players|rules\.tromp-taylor|settings\.networkFile|library\.pattern\.point|settings\.coordinates|game\.new\.square|board\.size|club\.room\.said)/.test(key)) continue
      expect({ key, text }).not.toEqual({ key, text: english.get(key) })
    }
  })
})

/** Words that another one is used for everywhere else, or that belong to another country or mean something else to players. */
const OTHER_WORDS: Record<string, RegExp> = {
  'en.json': /\bnets?\b|\bNets\b/,
  'zh-Hans.json': /候选手|虚手|复局|胜负手|准确度|访客|段位|亏|曲线|对弈|载入|都停一手|对手停一手|应在 \{/,
  'zh-Hant.json': /候選手|復盤|查找|訪問|信息|文件夾|設置|默認|保存|勝負手|準確度|段位|虧|曲線|對弈|更改|點擊|停一手|停手|定式|加載|水平|概率|程序|窗口|應在 \{|按(?=年份|佈局|對手|棋盤|棋形|題集)|列表|單個|重複對局/,
  'ja.json': /棋士|全局|失着|全て|フォルダ(?!ー)|コンピュータ(?!ー)|(?<!インター)ネット(?!ワ)|レート|死石|置石|呼吸点|～|目数差|引き分け|くらべ|棋譜庫|部屋|ブラウザ(?!ー)|ポインタ(?!ー)|(?<=[ぁ-ヿ一-龥])(?<!例) [A-Za-z0-9]|(?<!--\w*)[A-Za-z0-9%] [ぁ-ヿ一-龥]/,
  'ko.json': /국수(?!집)|자체 대국|네트워크|포기|기사|다운로드|손실|실력|죽은 돌|첫 느낌|화살표 키|장면|단추|되살리|맞바둑|\}님|[가-힣] \(\{|[}\d] ~ |\((는|가|를|와|으)\)|[“”]/,
}
test.each(Object.entries(OTHER_WORDS))('%s has one word for one thing, and the usual one', (file, other) => {
  const words = flat(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree)
  // What somebody may type into the search for commands is never shown: it is those other words.
  expect([...words].filter(([key, text]) => !key.startsWith('shell.palette.words.') && other.test(text))).toEqual([])
  const pages = join(folder, '../../../../docs/manual', file.replace('.json', ''))
  const lines = readdirSync(pages).flatMap(page => readFileSync(join(pages, page), 'utf8').split('\n'))
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.filter(line => other.test(line))).toEqual([])
})

/** What only a mouse does. Korean says “press” of both. */
const MOUSE: Record<string, RegExp> = { 'en.json': /click/i, 'ja.json': /クリック/, 'zh-Hans.json': /单击/, 'zh-Hant.json': /單擊/, 'ko.json': /클릭/ }
test.each(Object.entries(MOUSE))('%s tells nobody to click where a finger or a key serves as well', (file, click) => {
  const words = flat(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree)
  // It has another text for fingers beside it.
  expect([...words].filter(([key, text]) => key !== 'library.preview.none.text' && click.test(text))).toEqual([])
  const pages = join(folder, '../../../../docs/manual', file.replace('.json', ''))
  expect(readdirSync(pages).filter(page => click.test(readFileSync(join(pages, page), 'utf8').replace(/右クリック/g, '')))).toEqual([])
})

test('the language that was chosen last holds, also where the words of an earlier one come late', async () => {
  await Promise.all([switchLanguage('ko'), switchLanguage('en')])
  expect([i18n.global.locale.value, document.documentElement.lang]).toEqual(['en', 'en'])
})

test('the language follows the wish, then the system, then English', () => {
  expect(chooseLanguage('zh-Hans', ['en'])).toBe('zh-Hans')
  expect(chooseLanguage('', ['zh-CN', 'en'])).toBe('zh-Hans')
  expect(chooseLanguage('', ['fr-FR', 'en-GB'])).toBe('en')
  expect(chooseLanguage('tlh', ['zh-SG'])).toBe('zh-Hans')
  expect(chooseLanguage('', ['zh-TW'])).toBe('zh-Hant')
  expect(chooseLanguage('', ['zh-Hant-HK'])).toBe('zh-Hant')
  expect(chooseLanguage('', ['ja-JP'])).toBe('ja')
  expect(chooseLanguage('', [])).toBe('en')
})

test('one point is no "points", and a half is', async () => {
  const won = (points: string): string => say('game.result.black.score', { points })
  expect(['1', '0.5', '1.5', '0', '21'].map(won)).toEqual(['1 point', '0.5 points', '1.5 points', '0 points', '21 points'].map(points => `Black wins by ${points}`))
  expect(say('mine.lost', { points: '1' })).toBe('1 point per game')
  expect(say('exercises.wins', { player: 'Black', points: '1' })).toBe('Black wins by 1 point.')
  await switchLanguage('ja')
  expect(won('1')).toBe(won('2').replace('2', '1'))
  await switchLanguage('en')
})

test('a count has its thousands apart, as every number of the language', () => {
  expect(say('library.deleted', {}, 12_000)).toBe('12,000 games were deleted')
})
