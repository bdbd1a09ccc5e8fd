import { inBrowser } from '#platform'
import type { AttachedFile } from '../../../lib/contract/companion/companion.ts'
import type { App } from '../../app/app.ts'
import { el } from '../../ui/dom.ts'
import type { MessageScreenshot } from '../state/conversation-part.ts'
import type { MessageFiles } from './message-files.ts'
import { storedFiles } from './stored-files.ts'

type IntakeOptions = {
  app: App
  spaceId: string
  /** Called whenever there are more or fewer files. */
  onChange: () => void
}

/** Where files come into a message: its menu, paste and drop. What they become is loaded with them. */
export function createFileIntake({ app, spaceId, onChange }: IntakeOptions) {
  const element = el('ul', { class: 'composer-files', 'aria-label': 'Attached files', hidden: true })
  let count = 0
  let loaded: MessageFiles | null = null
  if (inBrowser && storedFiles(spaceId).read() !== '') void load()

  return {
    element,
    choose,
    count: () => count,
    /** The files of the message; `null` while one is on its way. */
    takeFiles: (): AttachedFile[] | null => (loaded ? loaded.take() : []),
    takeScreenshot: (): MessageScreenshot | undefined => loaded?.takeScreenshot(),
    addPasted: (files: readonly File[]) => void load().then((own) => own.addPasted(files)),
    restore(files: readonly AttachedFile[], screenshot: MessageScreenshot | undefined): void {
      if (files.length > 0 || screenshot) void load().then((own) => own.restore(files, screenshot))
    },
    /**
     * A pasted picture goes with this message alone, further ones and other files as files of the Space. A spreadsheet puts a picture of its cells beside their text: that is pasted as
     * text.
     */
    take(event: Event, data: DataTransfer | null): void {
      const files = [...(data?.files ?? [])]
      if (files.length === 0 || data?.types.includes('text/plain')) return
      event.preventDefault()
      this.addPasted(files)
    },
    over(event: DragEvent): void {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    },
    drop(event: DragEvent): void {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      add(files)
    },
  }

  async function load(): Promise<MessageFiles> {
    const { createMessageFiles } = await import('./message-files.ts')
    const show = (now: number) => {
      count = now
      onChange()
    }
    loaded ??= createMessageFiles({ app, spaceId, place: element, onChange: show })
    return loaded
  }

  function add(files: readonly File[]): void {
    void load().then((own) => own.add(files))
  }

  /** `accept`: the media types that the browser offers. Default: all. */
  function choose(accept?: string): void {
    const input = el('input', { type: 'file', multiple: true, accept: accept ?? '' })
    input.addEventListener('change', () => add([...(input.files ?? [])]))
    input.click()
  }
}
