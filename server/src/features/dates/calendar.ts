import { msg } from '@lingui/core/runtime-macro';
import type { DateState } from '#contract/constants.ts';
import { textOf } from '#platform/texts.ts';
import { presentBrand } from '#platform/service/brand.ts';
import type { PlanRow } from './plan.ts';

const usualHours = 2;
const hourMs = 3_600_000;
const countedFrom = Date.UTC(2020);

const statuses: Record<DateState, string> = {
  proposed: 'TENTATIVE',
  accepted: 'CONFIRMED',
  canceled: 'CANCELLED',
  replaced: 'CANCELLED',
};

/** Text as a value (RFC 5545, 3.3.11), so that nothing in it starts another property. */
const escaped = (text: string) =>
  text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r\n|[\r\n\u2028\u2029\u0085]/g, '\\n');

/** A time in UTC. */
const moment = (time: Date) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A line in parts of at most 75 bytes, without cutting a character of up to four. */
const folded = (line: string) => `${(line.match(/.{1,18}/gu) ?? []).join('\r\n ')}\r\n`;

/**
 * A date as a calendar file in UTC, which every calendar shows in its own zone. A later file updates the entry of an earlier one, and the
 * file of a canceled date removes it.
 */
export function calendarOf(plan: PlanRow & { name: string }, host: string): string {
  const { id, calendar_id, place, at, note, state, created_at, decided_at, name } = plan;
  const changedAt = decided_at ?? created_at;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(presentBrand().name)}//Dates//EN`,
    ...(state === 'canceled' ? ['METHOD:CANCEL'] : []),
    'BEGIN:VEVENT',
    `UID:${calendar_id ?? id}@${host}`,
    // Calendars ignore a file whose number is lower than that of the entry they have.
    `SEQUENCE:${Math.floor((changedAt.getTime() - countedFrom) / 1000)}`,
    `DTSTAMP:${moment(changedAt)}`,
    `DTSTART:${moment(at)}`,
    `DTEND:${moment(new Date(at.getTime() + usualHours * hourMs))}`,
    `SUMMARY:${escaped(textOf(msg`Date with ${{ name }}`))}`,
    `LOCATION:${escaped(place)}`,
    ...(note === null ? [] : [`DESCRIPTION:${escaped(note)}`]),
    `STATUS:${statuses[state]}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(folded).join('');
}
