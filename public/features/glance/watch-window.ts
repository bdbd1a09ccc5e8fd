// Another window, as the owner shares it: a picture of it goes to the glance once it has changed and is still. Nothing is
// stored, here or on the server, unless the owner saves a picture.

import type { GlanceDecision, GlanceReason } from '../../../lib/contract/companion/glance.ts'
import type { Space } from '../../../lib/contract/entities/entities.ts'
import type { Attachment } from '../../../lib/contract/imports.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { upload } from '../../app/api/upload.ts'
import type { App } from '../../app/app.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import { keepAboveComposer } from './keep-above-composer.ts'
import { createSettledFrames } from './settled-frames.ts'
import { renderWatchLine } from './watch-line.ts'
import { createWindowPicture, type WindowPicture } from './window-picture.ts'

export type Watching = {
  app: App
  space: Space
  stream: MediaStream
  /** As long as it is open, before it is looked at. */
  settleMs: number
  isTyping: () => boolean
  /** Aborted by who began it, or when the watching ends. */
  ended: AbortController
}

const everyMs = 2000

/** Until the stream ends, the owner stops it, or `ended` is aborted. */
export function watchWindow(watching: Watching): void {
  const { app, space, stream, settleMs, isTyping, ended } = watching
  const { signal } = ended
  const stop = () => ended.abort()
  signal.addEventListener('abort', () => {
    for (const track of stream.getTracks()) track.stop()
  })
  for (const track of stream.getTracks()) track.addEventListener('ended', stop)
  const video = el('video', { muted: true, playsinline: true })
  video.srcObject = stream
  // Its first picture may take a while.
  void video.play().catch(() => {})

  const picture = createWindowPicture(video)
  const frames = createSettledFrames(settleMs)
  const line = renderWatchLine({ space: space.name, onStop: stop, onSave: () => save(app, space, picture) })
  keepAboveComposer(line.element, signal)
  app.announce('Watching a window.')
  signal.addEventListener('abort', () => app.announce('The window is no longer watched.'))
  const timer = setInterval(see, everyMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  see()

  function see(): void {
    const cells = picture.cells()
    if (!cells) return
    picture.drawInto(line.thumbnail)
    if (!isTyping() && frames.accept(cells, performance.now())) void look()
  }

  async function look(): Promise<void> {
    const path = `/api/spaces/${space.id}/glance`
    try {
      const { reason } = await app.api.post<GlanceDecision>(path, { image: picture.toImage() })
      if (reason === 'off' || reason === 'turned_off') {
        stop()
        app.toast('The glance is off, so the window is no longer watched.')
      } else if (passing.has(reason)) frames.retry(performance.now())
      else line.say(`Last looked at ${timeOfDay(app.now())}`)
    } catch (error) {
      frames.retry(performance.now())
      line.say(messageOf(error))
    }
  }
}

/** It was not looked at, and may be in a moment. */
const passing: ReadonlySet<GlanceReason> = new Set(['turn_running', 'too_soon', 'busy', 'typing'])

const timeOfDay = (date: Date) => new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(date)

async function save(app: App, space: Space, picture: WindowPicture): Promise<void> {
  await toastFailure(app, saved())

  async function saved(): Promise<void> {
    const file = await picture.toFile()
    if (!file) return
    const name = `Window ${app.now().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')}.png`
    const path = withQuery(`/api/spaces/${space.id}/attachments`, { name })
    const { id } = await upload<Attachment>(path, file, {
      onProgress: () => {},
      signal: new AbortController().signal,
    })
    const href = entityHref(space.slug, 'source_doc', id)
    app.toast('Picture saved to Files.', {
      ...(href ? { action: { label: 'Open', run: () => app.navigate(href) } } : {}),
    })
  }
}
