import type { OutboxMail } from '#contract/system.ts';
import { escapeHtml } from '../http/html.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 12px; padding: 1rem 1.25rem; margin: 1rem 0; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0; } .meta { opacity: .75; margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }`;

function mailCard(mail: OutboxMail): string {
  const links = mail.links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('');
  return `<article><h2>${escapeHtml(mail.subject)}</h2>
<p class="meta">to ${escapeHtml(mail.to)} · <time>${escapeHtml(mail.createdAt)}</time></p>
<pre>${escapeHtml(mail.text)}</pre>${links}</article>`;
}

/** The page that shows emails in development, where they are not sent. */
export function outboxPage(mails: OutboxMail[]): string {
  const list = mails.length === 0 ? '<p>No emails yet.</p>' : mails.map(mailCard).join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox · Heartwood</title><style>${style}</style></head>
<body><h1>Outbox</h1><p>Emails that a production installation would have sent. Nothing leaves this machine.</p>${list}</body></html>`;
}
