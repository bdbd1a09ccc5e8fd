// Another window, as the owner shares it: a picture of it goes to the glance once it has changed and is still. Nothing is
// stored, here or on the server, unless the owner saves a picture.

import type { GlanceDecision, GlanceImage, GlanceReason } from '../../../lib/contract/companion/glance.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { Attachment } from '../../../lib/contract/imports.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { upload } from '../../app/api/upload.ts'
import type { App } from '../../app/app.ts'
import { quoted } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { timeOfDay } from '../../ui/time.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import { keepAboveComposer } from './nudge.ts'
import { type Cells, createSettledFrames } from './settled-frames.ts'

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
      else line.say(`Last checked ${timeOfDay(app.now())}`)
    } catch (error) {
      frames.retry(performance.now())
      line.say(messageOf(error))
    }
  }
}

/** It was not looked at, and may be in a moment. */
const passing: ReadonlySet<GlanceReason> = new Set(['turn_running', 'too_soon', 'busy', 'typing'])

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

/** Pixels of the longer side of a picture that is sent: text stays legible, and it stays well under 5 MB. */
const maxSide = 1600

const quality = 0.85

const columns = 64

const rows = 36

/** The picture that a video shows now; `null` before it shows any. */
type WindowPicture = {
  cells(): Cells | null
  /** Draws it into a small canvas. */
  drawInto(canvas: HTMLCanvasElement): void
  toImage(): GlanceImage
  toFile(): Promise<Blob | null>
}

function createWindowPicture(video: HTMLVideoElement): WindowPicture {
  const small = el('canvas', { width: columns, height: rows })
  const brush = small.getContext('2d', { willReadFrequently: true })!

  return {
    cells() {
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null
      brush.drawImage(video, 0, 0, columns, rows)
      const { data } = brush.getImageData(0, 0, columns, rows)
      return Uint8Array.from({ length: columns * rows }, (_, at) => brightness(data.subarray(at * 4)))
    },
    drawInto(canvas) {
      canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth)
      canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
    },
    toImage() {
      const media_type = 'image/jpeg'
      return { media_type, data: draw(video).toDataURL(media_type, quality).split(',')[1]! }
    },
    toFile: () => new Promise((resolve) => draw(video).toBlob(resolve, 'image/png')),
  }
}

const brightness = ([red = 0, green = 0, blue = 0]: Uint8ClampedArray): number =>
  0.299 * red + 0.587 * green + 0.114 * blue

function draw(video: HTMLVideoElement): HTMLCanvasElement {
  const { videoWidth, videoHeight } = video
  const scale = Math.min(1, maxSide / Math.max(videoWidth, videoHeight))
  const canvas = el('canvas', {
    width: Math.round(videoWidth * scale),
    height: Math.round(videoHeight * scale),
  })
  canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas
}

type WatchLine = {
  element: HTMLElement
  thumbnail: HTMLCanvasElement
  /** What became of the last picture. */
  say(text: string): void
}

/** What is watched, above the composer, with what ends it. */
function renderWatchLine(options: { space: string; onStop: () => void; onSave: () => void }): WatchLine {
  const { space, onStop, onSave } = options
  const thumbnail = el('canvas', { width: 96, height: 54, role: 'img', 'aria-label': 'The watched window' })
  const state = el('p', { class: 'dim small' }, 'Not checked yet')
  const button = (label: string, onclick: () => void) =>
    el('button', { class: 'button button-small', type: 'button', onclick }, label)
  return {
    element: el(
      'section',
      { class: 'watch-line', 'aria-label': 'Watched window' },
      thumbnail,
      el('div', { class: 'grow' }, el('p', {}, 'Watching a window for ', quoted(space)), state),
      el('div', { class: 'row' }, button('Stop watching', onStop), button('Save picture', onSave)),
    ),
    thumbnail,
    say(text) {
      state.textContent = text
    },
  }
}
