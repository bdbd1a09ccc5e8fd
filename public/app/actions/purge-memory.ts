import { messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

/** Removes a line from memory and its history, of a Space or with `null` of all; whether that is done. Never rejects. */
export async function purgeMemory(
  { api, toast }: Pick<App, 'api' | 'toast'>,
  spaceId: string | null,
  text: string,
): Promise<boolean> {
  try {
    await api.post(spaceId === null ? '/api/memory/purge' : `/api/spaces/${spaceId}/memory/purge`, { text })
  } catch (error) {
    toast(`Could not remove it from history. ${messageOf(error)}`, { tone: 'problem' })
    return false
  }
  toast('Removed from history. Conversations, other pages, backups and exports may still have it.')
  return true
}
