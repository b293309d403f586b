import { defineStore } from 'pinia'
import { nextTick, shallowRef } from 'vue'
import type { Failure, ShelfState } from '@/api'
import { say, type MessageKey } from '@/i18n'
import { asSentence, ended, explain } from './explain'

export type NoticeTone = 'info' | 'success' | 'warning' | 'danger'

export interface Notice {
  readonly id: number
  readonly tone: NoticeTone
  readonly title: string
  readonly detail?: string | undefined
  /** English in every language: the back end's own words. */
  readonly quoted?: string | undefined
  readonly hint?: string | undefined
  /** Stays until it is dismissed. */
  readonly lasting?: boolean
  readonly action?: { readonly label: string, readonly run: () => void } | undefined
}

/** Milliseconds that a notice stays; those that say what failed stay longer, and all stay while the pointer is on them. */
const STAY_MS = { info: 5000, success: 4000, warning: 9000, danger: 14000 } as const
const STAY_WITH_ACTION_MS = 10000
const MAX_AT_ONCE = 4

/** Short messages at the edge of the window, and what is spoken. */
export const useNotices = defineStore('notices', () => {
  const notices = shallowRef<readonly Notice[]>([])
  const spoken = shallowRef('')
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  let lastId = 0

  function show(notice: Omit<Notice, 'id'>): number {
    const same = notices.value.find(known => known.title === notice.title && known.detail === notice.detail && known.quoted === notice.quoted && !known.action)
    if (same) dismiss(same.id)
    const id = ++lastId
    const all: Notice[] = [...notices.value, { ...notice, id }]
    const passing = all.filter(known => !known.lasting).slice(-MAX_AT_ONCE)
    notices.value = all.filter(known => known.lasting || passing.includes(known))
    release(id)
    announce([notice.title, notice.detail, notice.quoted, notice.hint].filter(Boolean).join(' '))
    return id
  }

  function dismiss(id: number): void {
    hold(id)
    notices.value = notices.value.filter(notice => notice.id !== id)
  }

  /** Keeps a notice from going away by itself. */
  function hold(id: number): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  function release(id: number): void {
    const notice = notices.value.find(known => known.id === id)
    if (!notice) return
    hold(id)
    if (notice.lasting) return
    timers.set(id, setTimeout(() => dismiss(id), notice.action ? STAY_WITH_ACTION_MS : STAY_MS[notice.tone]))
  }

  /** Says what failed; `doing` names what was tried, where the failure alone would not tell. */
  function failed(failure: Failure, doing?: MessageKey): void {
    if (failure.kind === 'cancelled') return
    const { title, detail, quoted, hint } = explain(failure)
    show(doing
      ? { tone: 'danger', title: say(doing), detail: [ended(title), detail].filter(Boolean).join(' '), quoted, hint }
      : { tone: failure.kind === 'illegalMove' ? 'warning' : 'danger', title, detail, quoted, hint })
  }

  /** Says how a download ended, also where whoever began it looks elsewhere by now; nothing while it goes on, or is paused. */
  function downloaded(news: { readonly state: ShelfState, readonly message: string, readonly hint: string }, titles: { readonly here: string, readonly failed: string }): void {
    if (news.message !== '') show({ tone: 'warning', title: titles.failed, quoted: asSentence(`${news.message}; ${news.hint}`) })
    else if (news.state === 'here') show({ tone: 'info', title: titles.here })
  }

  /** What was announced since the region was drawn last: it is heard only as it stands there then. */
  let together: string[] = []

  /** Speaks to a screen reader through the one polite region. The same words twice are spoken twice. */
  function announce(text: string): void {
    if (!together.includes(text)) together.push(text)
    const words = together.join(' ')
    spoken.value = spoken.value === words ? `${words}\u00a0` : words
    // Asked for after the change, which makes the region be drawn: this waits for that.
    if (together.length === 1) void nextTick(() => { together = [] })
  }

  function $reset(): void {
    for (const id of timers.keys()) hold(id)
    notices.value = []
    together = []
    spoken.value = ''
  }

  return { notices, spoken, show, dismiss, hold, release, failed, downloaded, announce, $reset }
})
