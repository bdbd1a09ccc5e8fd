import type { Confirmation } from '../../../lib/contract/auth.ts'
import { ApiError, createApi, messageOf } from '../../app/api/api.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { type Child, el } from '../../ui/dom.ts'
import { askPasskey } from './device.ts'

// Without the app's dialog for 401: a wrong token leaves the session as it was.
const api = createApi()

/**
 * Runs `action`. Where the server wants to be sure first that it is the owner, asks and runs it again. Whether it was
 * done; rejects as `action` does.
 */
export async function withConfirmation(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'confirmation_required')) throw error
    if (!(await confirmSession())) return false
    await action()
    return true
  }
}

async function confirmSession(): Promise<boolean> {
  const { passkey } = await askHow()
  return await new Promise((resolve) => {
    let confirmed = false
    const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
    const token = el('input', {
      class: 'field',
      id: 'confirm-token',
      type: 'password',
      required: true,
      autocomplete: 'current-password',
    })
    const dialog = showDialog(
      { title: 'Confirm it’s you', name: 'confirm', onClose: () => resolve(confirmed) },
      el(
        'form',
        { class: 'stack', onsubmit: submit },
        passkey ? el('p', {}, 'Use your passkey to continue.') : tokenField(token),
        problem,
        el(
          'div',
          { class: 'row' },
          el(
            'button',
            { class: 'button button-primary', type: 'submit' },
            passkey ? 'Use passkey' : 'Continue',
          ),
          el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
        ),
      ),
    )

    async function submit(event: SubmitEvent): Promise<void> {
      event.preventDefault()
      problem.hidden = true
      try {
        await api.post('/api/session/confirm', passkey ? await answer() : { token: token.value.trim() })
        confirmed = true
        dialog.close()
      } catch (error) {
        problem.textContent = messageOf(error)
        problem.hidden = false
      }
    }
  })
}

const askHow = () => api.post<Confirmation>('/api/session/challenge')

/** To a new challenge each time: an answer that fails uses its own up. */
async function answer() {
  const { passkey } = await askHow()
  return { passkey: passkey && (await askPasskey(passkey)) }
}

const tokenField = (token: HTMLInputElement): Child => [
  el('label', { class: 'field-label', for: 'confirm-token' }, 'Owner token'),
  token,
  el('p', { class: 'dim small' }, 'Or the code in a link from ', el('code', {}, 'npm run sign-in'), '.'),
]
