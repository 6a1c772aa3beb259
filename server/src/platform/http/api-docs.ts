import * as z from 'zod/mini';
import { apiBasePath } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { escapeHtml } from './html.ts';
import { operationId } from './openapi.ts';

/** The look of the description's page. */
export const apiDocsStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
details { border: 1px solid var(--line); border-radius: 10px; margin: .5rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } code { font-family: ui-monospace, monospace; font-size: .9em; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; } .access { opacity: .75; }
pre { overflow: auto; border-top: 1px solid var(--line); padding-top: .5rem; }`;

const accessWords: Record<EndpointSpec['access'], string> = {
  everyone: 'open to everyone',
  signedIn: 'signed in',
  completed: 'members with a verified address and complete profile, and staff',
  staff: 'staff',
  administrator: 'administrators',
};

function shape(title: string, schema: z.ZodMiniType | undefined, io: 'input' | 'output'): string {
  if (schema === undefined) return '';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return `<h4>${title}</h4><pre><code>${escapeHtml(JSON.stringify(json, null, 2))}</code></pre>`;
}

function card(endpoint: EndpointSpec): string {
  const errors =
    endpoint.errors === undefined
      ? ''
      : `<p>Refusals of its own: <code>${endpoint.errors.join('</code>, <code>')}</code></p>`;
  const creates = endpoint.creates === true ? '<p>Honours <code>Idempotency-Key</code>.</p>' : '';
  return `<details id="${operationId(endpoint)}"><summary><span class="method">${endpoint.method}</span> <code>${escapeHtml(endpoint.path)}</code></summary>
<p>${escapeHtml(endpoint.summary)}</p><p class="access">For ${accessWords[endpoint.access]}; answers ${endpoint.status ?? 200}.</p>${creates}${errors}
${shape('Path', endpoint.params, 'input')}${shape('Query', endpoint.query, 'input')}${shape('Body', endpoint.body, 'input')}${shape('Answer', endpoint.response, 'output')}</details>`;
}

/** A readable page of the whole API, made from the same declarations as the OpenAPI file. */
export function apiDocsPage(endpoints: EndpointSpec[]): string {
  const groups = Map.groupBy(endpoints, (endpoint) => endpoint.path.split('/')[1] ?? '');
  const sections = [...groups]
    .map(([name, list]) => `<h2>${escapeHtml(name)}</h2>${list.map(card).join('\n')}`)
    .join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API · Heartwood</title><link rel="stylesheet" href="/api/docs.css"></head><body><h1>Heartwood API</h1>
<p>All paths are below <code>${apiBasePath}</code>. Machine-readable: <a href="${apiBasePath}/openapi.json">openapi.json</a>.
Sign in with <code>POST /auth/login</code> and send <code>Authorization: Bearer …</code>.</p>${sections}</body></html>`;
}
