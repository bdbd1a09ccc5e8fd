import type { PasskeyRequestOptions } from '../../lib/contract/auth.ts'
import { ApiError, createApi, messageOf } from '../app/api/api.ts'
import { pageUrl } from '../ui/address.ts'
import { showDialog } from '../ui/components/dialog.ts'
import { el } from '../ui/dom.ts'

/**
 * Asks for the owner's token over the page, so that nothing typed is lost; once, however many requests have failed.
 * Signed in, the page stays as it is; the link goes to the sign-in page and back here.
 */
export function showSignIn(): void {
  if (document.querySelector('.dialog-session')) return
  const dialog = showDialog(
    { title: 'Sign in again', name: 'session' },
    signInForm(() => dialog.close()),
  )
}

function signInForm(onSignedIn: () => void): HTMLFormElement {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const token = el('input', {
    class: 'field',
    id: 'session-token',
    type: 'password',
    required: true,
    autocomplete: 'current-password',
  })
  const { pathname, search, hash } = pageUrl()
  const next = encodeURIComponent(pathname + search + hash)

  return el(
    'form',
    { class: 'stack', onsubmit: submit },
    el('p', {}, 'You were signed out. Unsaved text is stored on this device.'),
    el('label', { class: 'field-label', for: 'session-token' }, 'Owner token'),
    token,
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, 'Sign in'),
      el('a', { class: 'button', href: `/sign-in?next=${next}` }, 'Open sign-in page'),
    ),
  )

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      await signIn(token.value.trim())
      onSignedIn()
    } catch (error) {
      problem.hidden = false
      problem.textContent =
        error instanceof ApiError && error.code === 'unauthorized'
          ? 'Wrong token. Check it and try again.'
          : messageOf(error)
    }
  }
}

async function signIn(token: string): Promise<void> {
  try {
    await createApi().post('/api/session', { token })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'passkey_required')) throw error
    const { finishSignIn } = await import('../settings/passkeys/device.ts')
    await finishSignIn(error.details.passkey as PasskeyRequestOptions)
  }
}
