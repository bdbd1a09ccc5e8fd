import type { Entity } from '../../lib/contract/entities.ts'
import { type KindType, kindNames } from '../addresses.ts'
import { ApiError, messageOf } from '../api.ts'
import type { App } from '../app.ts'

type Deletable = Pick<Entity, 'id' | 'title' | 'version'>

/**
 * Puts a thing into the trash and offers to take it back. Resolves to whether it was deleted; a failure has been told.
 * `onUndone` runs once it is back.
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
      app.announce(`“${title}” is back.`)
      onUndone()
    } catch (error) {
      app.toast(`“${title}” is still in the trash: ${messageOf(error)}`, { tone: 'problem' })
    }
  }
  try {
    await app.api.delete(path, { version })
  } catch (error) {
    const changed = error instanceof ApiError && error.status === 409
    app.toast(
      changed
        ? `“${title}” was changed elsewhere meanwhile, so it was not deleted. Look at it again first.`
        : `“${title}” was not deleted. ${messageOf(error)}`,
      { tone: 'problem' },
    )
    return false
  }
  app.toast(`“${title}” is in the trash.`, { action: { label: 'Undo', run } })
  return true
}
