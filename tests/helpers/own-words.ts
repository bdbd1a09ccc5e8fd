const time = '<message_time>'

/** A message as the owner wrote it: without the time that Void put before its words. Other content is as it was sent. */
export function ownWords(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const rest = content.filter((block) => !String(Object(block).text ?? '').startsWith(time))
  const [only] = rest
  return rest.length === 1 && Object(only).type === 'text' && rest.length < content.length ? only.text : rest
}
