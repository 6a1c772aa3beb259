import { msg } from '@lingui/core/runtime-macro';
import { textOf } from '../../platform/texts.ts';
import type { PlanRow } from './plan.ts';

const usualHours = 2;
const hourMs = 3_600_000;

/** Text as a value (RFC 5545, 3.3.11), so that nothing in it starts another property. */
const escaped = (text: string) =>
  text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r\n|[\r\n\u2028\u2029\u0085]/g, '\\n');

/** A time in UTC. */
const moment = (time: Date) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A line in parts of at most 75 bytes, without cutting a character of up to four. */
const folded = (line: string) => `${(line.match(/.{1,18}/gu) ?? []).join('\r\n ')}\r\n`;

/** A date as a calendar file, in UTC, which every calendar shows in its own zone. */
export function calendarOf(plan: PlanRow & { name: string }, host: string): string {
  const { id, place, at, note, state, created_at, decided_at, name } = plan;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Heartwood//Dates//EN',
    'BEGIN:VEVENT',
    `UID:${id}@${host}`,
    `DTSTAMP:${moment(decided_at ?? created_at)}`,
    `DTSTART:${moment(at)}`,
    `DTEND:${moment(new Date(at.getTime() + usualHours * hourMs))}`,
    `SUMMARY:${escaped(textOf(msg`Date with ${{ name }}`))}`,
    `LOCATION:${escaped(place)}`,
    ...(note === null ? [] : [`DESCRIPTION:${escaped(note)}`]),
    `STATUS:${state === 'accepted' ? 'CONFIRMED' : 'TENTATIVE'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(folded).join('');
}
