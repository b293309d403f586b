const SEPARATOR = /[,，、;；]/

/** Tags as one line, the way `readTags` takes it. */
export const writeTags = (tags: readonly string[]): string => tags.join(', ')

/** The tags of a line. A tag that the record has already may hold a comma itself: it stays one tag as long as it is written so. */
export function readTags(line: string, known: readonly string[]): string[] {
  const kept = known.filter(tag => SEPARATOR.test(tag)).sort((a, b) => b.length - a.length)
  let rest = line
  const whole = kept.filter((tag) => {
    const found = rest.includes(tag)
    if (found) rest = rest.replace(tag, () => ',')
    return found
  })
  return [...new Set([...whole, ...rest.split(SEPARATOR).map(tag => tag.trim()).filter(Boolean)])]
}
