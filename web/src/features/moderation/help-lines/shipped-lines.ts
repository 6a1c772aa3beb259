import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';

/** Names and notes of the built-in help lines. */
const shipped: Record<string, MessageDescriptor> = {
  'Emergency services': msg`Emergency services`,
  'A directory of free, confidential help lines in many countries.': msg`A directory of free, confidential help lines in many countries.`,
  'Call or text at any hour.': msg`Call or text at any hour.`,
  'Confidential support after sexual violence, at any hour.': msg`Confidential support after sexual violence, at any hour.`,
  'Confidential support at any hour.': msg`Confidential support at any hour.`,
  'Fire and ambulance. Police: 110.': msg`Fire and ambulance. Police: 110.`,
  'Free and anonymous, at any hour.': msg`Free and anonymous, at any hour.`,
  'Free and confidential, at any hour, in many languages.': msg`Free and confidential, at any hour, in many languages.`,
  'Free and confidential, at any hour.': msg`Free and confidential, at any hour.`,
  'Free, at any hour.': msg`Free, at any hour.`,
  'Help for adults whose intimate pictures are shared or used to threaten them.': msg`Help for adults whose intimate pictures are shared or used to threaten them.`,
  'Police, fire and ambulance.': msg`Police, fire and ambulance.`,
  'Police, fire and ambulance; 112 works as well.': msg`Police, fire and ambulance; 112 works as well.`,
  'Police, fire and ambulance; 999 works as well.': msg`Police, fire and ambulance; 999 works as well.`,
  'Police. Ambulance: 113.': msg`Police. Ambulance: 113.`,
  'Police: 117. Ambulance: 144.': msg`Police: 117. Ambulance: 144.`,
  'Police: 17. Ambulance: 15.': msg`Police: 17. Ambulance: 15.`,
  'Someone to talk to, at any hour.': msg`Someone to talk to, at any hour.`,
  'Support after sexual, domestic and family violence, at any hour.': msg`Support after sexual, domestic and family violence, at any hour.`,
  'Support for victims of crime.': msg`Support for victims of crime.`,
};

/** A name or note in the reader's language if it is built in, otherwise as staff wrote it. */
export function lineText(written: string): string {
  const text = shipped[written];
  return text === undefined ? written : t(text);
}
