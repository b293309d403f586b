import { onBeforeUnmount } from 'vue'

const drafts = new Set<() => void>()

/** A field whose words reach their game when it is left: it hands them in before each action too, and before it is gone. */
export function useDraft(handIn: () => void): void {
  drafts.add(handIn)
  onBeforeUnmount(() => {
    handIn()
    drafts.delete(handIn)
  })
}

/** Hands in what is being typed. A key that saves or closes a game leaves the caret where it is. */
export function handInDrafts(): void {
  for (const handIn of drafts) handIn()
}
