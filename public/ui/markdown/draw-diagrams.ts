// Diagrams of Mermaid, drawn in a frame that may reach nothing (lib/api/web/diagrams.ts), and shown as images.

import { el } from '../dom.ts'

type Drawn = { svg: string; width: number; height: number } | { error: string }

/** A frame that does not answer is removed, whatever it is doing. */
const loadMs = 20_000
const drawMs = 5000
/** A picture that is larger is not decoded by every browser. */
const maxSide = 10_000

/** Draws diagrams in the place of their sources, one by one; one that cannot be drawn stays as it is, and says why. */
export async function drawDiagrams(codes: readonly HTMLElement[]): Promise<void> {
  const frame = el('iframe', {
    class: 'diagram-frame',
    src: '/diagrams',
    sandbox: 'allow-scripts',
    title: 'Diagrams',
    'aria-hidden': 'true',
    tabindex: -1,
  })
  const loaded = new Promise<void>((resolve, reject) => {
    frame.addEventListener('load', () => resolve(), { once: true })
    setTimeout(reject, loadMs, new Error('Mermaid could not be loaded.'))
  })
  document.body.append(frame)
  try {
    await loaded
    for (const code of codes) {
      const dark = isDark()
      const text = code.textContent ?? ''
      const drawn = await draw(frame, { text, dark })
      // It may show something else by now.
      if (code.textContent !== text) continue
      show(code, drawn, dark)
      if ('error' in drawn && drawn.error === tookTooLong) return
    }
  } catch (error) {
    for (const code of codes)
      show(code, { error: error instanceof Error ? error.message : String(error) }, false)
  } finally {
    frame.remove()
  }
}

const tookTooLong = 'it took too long'

function draw(frame: HTMLIFrameElement, diagram: { text: string; dark: boolean }): Promise<Drawn> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(() => end({ error: tookTooLong }), drawMs)
    const end = (drawn: Drawn) => {
      clearTimeout(timer)
      port1.close()
      resolve(drawn)
    }
    port1.onmessage = ({ data }) => end(isImage(data) ? data : { error: String(data?.error ?? 'no answer') })
    // It has no origin that could be named.
    frame.contentWindow?.postMessage(diagram, '*', [port2])
  })
}

function isImage(data: unknown): data is { svg: string; width: number; height: number } {
  const { svg, width, height } = (data ?? {}) as Record<string, unknown>
  const isSide = (value: unknown) => typeof value === 'number' && value > 0 && value <= maxSide
  return typeof svg === 'string' && isSide(width) && isSide(height)
}

function show(code: HTMLElement, drawn: Drawn, dark: boolean): void {
  const block = code.parentElement
  if (!block?.isConnected || block.closest('.diagram')) return
  if ('error' in drawn) {
    block.nextElementSibling?.matches('.diagram-problem') && block.nextElementSibling.remove()
    block.after(
      el('p', { class: 'diagram-problem' }, `Not drawn: ${drawn.error.split('\n')[0]!.replace(/:$/, '')}.`),
    )
    return
  }
  const src = URL.createObjectURL(new Blob([drawn.svg], { type: 'image/svg+xml' }))
  const image = el('img', {
    src,
    alt: 'Diagram. Its source follows.',
    width: Math.ceil(drawn.width),
    height: Math.ceil(drawn.height),
  })
  image.addEventListener('load', () => URL.revokeObjectURL(src), { once: true })
  const source = el('details', { class: 'diagram-source' }, el('summary', {}, 'Source'))
  const figure = el('figure', { class: ['diagram', dark && 'diagram-dark'] }, image, source)
  block.replaceWith(figure)
  source.append(block)
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
}
