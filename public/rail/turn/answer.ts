import { inBrowser } from '#platform'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { activeSubject } from '../../app/app.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import type { ResearchSlots } from '../../features/research/answer-research.ts'
import { el } from '../../ui/dom.ts'
import type { Answer, Question, Turn } from '../state/turn-state.ts'
import { createAnswerDrafts } from './answer-drafts.ts'
import { renderAnswerEnd } from './answer-end.ts'
import { createAnswerText } from './answer-text.ts'
import { offersName } from './offers-name.ts'
import { renderToolActivity } from './tool-activity.ts'
import type { TurnContext } from './turn-context.ts'

export type AnswerPart = { element: HTMLElement; show(answer: Answer, turn: Turn): void }

/** Whether links were shown in place of moves before the page was loaded. */
const wasOffered = (turnId: string | null): boolean =>
  inBrowser && turnId !== null && savedText(offersName(turnId), sessionStorage).read() !== ''

/** The answer of the turn with that key: what it did, its text, its drafts, and how it ended. */
export function createAnswer(context: TurnContext, key: string): AnswerPart {
  const { app, slug, chips, part } = context
  let shown: Answer | null = null
  const tools = el('div', { class: 'slot' })
  const controls = el('div', { class: 'slot' })
  const research: ResearchSlots = { line: tools, controls, key }
  const text = createAnswerText({ slug }, chips.toChip)
  const drafts = createAnswerDrafts(context)
  const links = el('div', { class: 'slot row' })
  const end = el('div', { class: 'slot' })
  const actions = el('div', { class: 'slot row' })
  const label = el('h3', { class: 'said-label' })
  const parts = [label, tools, text.element, controls, drafts.elements, links, end, actions]
  const element = el('section', { class: 'said said-companion' }, parts)

  return {
    element,
    show(answer, turn) {
      const { name, color } = turn.author ?? context.companion()
      label.replaceChildren(el('bdi', {}, name))
      element.setAttribute('data-color', color ?? 'violet')
      if (answer.research[0]) showResearch(answer, turn.id)
      else if (answer.tools !== shown?.tools || answer.used !== shown.used || answer.state !== shown.state)
        showTools(answer)
      if (answer.text !== shown?.text || answer.citations !== shown?.citations)
        text.show(answer.text, answer.citations)
      if (answer.cards !== shown?.cards) drafts.show(answer.cards)
      if (answer.offers !== shown?.offers && (answer.offers[0] || wasOffered(turn.id)))
        showOffers(answer.offers, turn.id)
      // Research is resumed, not asked again.
      const onRetry = turn.question && !answer.research[0] ? () => retry(turn.question!) : null
      end.replaceChildren(...renderAnswerEnd(answer, onRetry))
      if (answer.state !== 'running' && answer.state !== shown?.state) showActions(answer, turn)
      shown = answer
    },
  }

  function retry({ text, files = [] }: Question): void {
    if (part) toastFailure(app, part.send(text, activeSubject(app.state.get()), { here: {}, files }))
  }

  async function showActions(answer: Answer, turn: Turn): Promise<void> {
    if (!inBrowser) return
    const { renderAnswerActions } = await import('./answer-actions.ts')
    actions.replaceChildren(...renderAnswerActions(context, answer, turn, element))
  }

  /** Its code comes with the first link, which most never see. */
  async function showOffers(offers: Answer['offers'], turnId: string | null): Promise<void> {
    const { readOffers, renderEffectLinks } = await import('./effect-links.ts')
    const kept = turnId ? readOffers(turnId) : []
    links.replaceChildren(...renderEffectLinks(kept.length > offers.length ? kept : offers, app))
  }

  function showTools({ tools: calls, used, state }: Answer): void {
    if (inBrowser && state === 'running' && calls[0]) {
      import('./tool-chips.ts').then(({ renderToolChips }) => {
        if (shown?.tools === calls && shown.state === state) tools.replaceChildren(renderToolChips(calls))
      })
      return
    }
    const open = 'querySelector' in tools ? (tools.querySelector('details')?.open ?? false) : false
    tools.replaceChildren(renderToolActivity(calls, used, { id: `tools-${key}`, open }) ?? '')
  }

  /** Its code comes with the first answer that research is in. */
  async function showResearch(answer: Answer, turnId: string | null): Promise<void> {
    if (!inBrowser || answer === shown) return
    const { show } = await import('../../features/research/answer-research.ts')
    show(context, research, answer, turnId)
  }
}
