import { useNotices } from '@/features/notices'
import { useText } from '@/i18n'

/** Puts links on the clipboard, and says that they are there or, where a browser refuses, what to copy. */
export function useCopyLinks(): (links: readonly string[]) => Promise<void> {
  const notices = useNotices()
  const { t } = useText()
  return async (links) => {
    const text = links.join('\n')
    try {
      await navigator.clipboard.writeText(text)
      notices.show({ tone: 'success', title: t('club.room.copied', {}, links.length) })
    } catch {
      notices.show({ tone: 'warning', title: t('club.room.notCopied', { link: text }) })
    }
  }
}
