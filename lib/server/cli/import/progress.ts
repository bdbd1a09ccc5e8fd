export type ProgressOptions = {
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  total: number
}

export type Progress = { update(done: number): void; finish(): void }

const barWidth = 24
const steps = 10

/** Tells how far an import is: a bar that is redrawn on a terminal, a plain line every tenth of the way elsewhere. */
export function createProgress({ stream, total }: ProgressOptions): Progress {
  return stream.isTTY ? bar(stream, total) : lines(stream, total)
}

function bar(stream: ProgressOptions['stream'], total: number): Progress {
  return {
    update(done) {
      const share = total === 0 ? 1 : Math.min(done / total, 1)
      const full = Math.round(share * barWidth)
      const text = `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}] ${percent(share)}  ${done} of ${total} files`
      stream.write(`\r${text.slice(0, (stream.columns || 80) - 1)}\x1b[K`)
    },
    finish: () => stream.write('\r\x1b[K'),
  }
}

function lines(stream: ProgressOptions['stream'], total: number): Progress {
  let told = 0
  return {
    update(done) {
      const step = Math.floor((done / total) * steps)
      if (step <= told) return
      told = step
      stream.write(`${done} of ${total} files (${percent(done / total).trim()})\n`)
    },
    finish: () => {},
  }
}

const percent = (share: number) => `${Math.floor(share * 100)}%`.padStart(4)
