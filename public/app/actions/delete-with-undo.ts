import type { Entity } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import { ApiError, messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

type Deletable = Pick<Entity, 'id' | 'title' | 'version'>

/**
 * Moves an entity to the trash and offers to undo it. Resolves to whether it was deleted; a failure is shown as a toast.
 * `onUndone` runs once it is restored.
 */
export async function deleteWithUndo(
  app: App,
  type: KindType,
  { id, title, version }: Deletable,
  onUndone: () => void,
): Promise<boolean> {
  const path = `/api/${kindNames[type].path}/${id}`
  const run = async () => {
    try {
      await app.api.post(`${path}/restore`)
      app.announce(`Restored ${quoteShown(title)}.`)
      onUndone()
    } catch (error) {
      app.toast(`Could not restore ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
  try {
    await app.api.delete(path, { version })
  } catch (error) {
    const changed = error instanceof ApiError && error.status === 409
    app.toast(
      changed
        ? `${quoteShown(title)} was changed in the meantime, so it was not deleted. Check the new version, then try again.`
        : `Could not delete ${quoteShown(title)}. ${messageOf(error)}`,
      { tone: 'problem' },
    )
    return false
  }
  app.toast(`Moved ${quoteShown(title)} to trash.`, { action: { label: 'Undo', run } })
  return true
}
