export type Send = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> }>

/** Sends JSON with a token. Rejects when the connection breaks. */
export const createSend =
  (url: () => string, token: string): Send =>
  async (method, path, body) => {
    const response = await fetch(url() + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }
