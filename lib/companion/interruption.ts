/**
 * Why a turn that runs is told to break off. `stopped`: the owner wants it. `lost`: another server has taken it over.
 * `draining`: this server goes down, and another one is to go on.
 */
export class Interruption extends Error {
  readonly why: 'stopped' | 'lost' | 'draining'

  constructor(why: 'stopped' | 'lost' | 'draining') {
    super(`the turn was interrupted: ${why}`)
    this.name = 'Interruption'
    this.why = why
  }
}

export const whyInterrupted = ({ reason }: AbortSignal) =>
  reason instanceof Interruption ? reason.why : null
