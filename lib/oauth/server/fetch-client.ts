import { AppError } from '../../errors.ts'
import { fetchDocument, type Network } from '../client-document/fetch-document.ts'
import { readClientMetadata } from '../client-metadata.ts'

/**
 * The document of a client as the authorization server may see it: only what `readClientMetadata` takes over, and the
 * `client_id` that it claims. Throws `AppError`.
 */
export async function fetchClient(url: string, network?: Network): Promise<Response> {
  const answer = await fetchDocument(url, network)
  const stated = parseJson(await answer.text())
  const client_id: unknown = Object(stated).client_id
  if (client_id !== url)
    throw new AppError('client_document', 400, 'The client’s document is about another client.')
  return new Response(JSON.stringify({ client_id, ...readClientMetadata(stated) }), {
    headers: answer.headers,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('client_document', 400, 'The client’s document is not JSON.', { cause })
  }
}
