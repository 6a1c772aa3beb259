import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caution } from '#contract/messages/messages.ts';

/** One first message with its kind, and the warning that a reader would expect, or null for ordinary ones. */
export interface LabelledMessage {
  language: string;
  kind: string;
  caution: Caution | null;
  text: string;
}

/** Reads a block of `messages.txt`: language, kind and warning after `#`, then one message per line; `\u` escapes invisible characters. */
function readGroup(block: string): LabelledMessage[] {
  const [head = '', ...lines] = block.trim().split('\n');
  const [language = '', kind = '', caution = ''] = head.split(' | ');
  return lines.map((line) => ({
    language,
    kind,
    caution: caution === 'ordinary' ? null : (caution as Caution),
    text: line.replaceAll(/\\u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  }));
}

const labelledMessages = readFileSync(join(import.meta.dirname, 'messages.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .flatMap(readGroup);

const isHeldOut = (_: unknown, index: number) => index % 3 === 2;

/** Two of every three messages, used to improve the patterns. */
export const known = labelledMessages.filter((message, index) => !isHeldOut(message, index));

/** Every third message, used only for checking: patterns adjusted to these messages would seem better than they are. */
export const heldOut = labelledMessages.filter(isHeldOut);
