import { Unforeseen } from './world.ts';

/** A body or query with nested keys, such as `items[0][price]`; a list has the keys 0, 1, … */
export interface Form {
  [key: string]: string | Form;
}

/** The field names of a form as in the list of supported ones, such as `items[].price`. */
export function namesIn(text: string): string[] {
  return [...new URLSearchParams(text).keys()].map((key) => key.replace(/\[\d*\]/g, '[]').replace(/\[(\w+)\]/g, '.$1'));
}

/** Parses a form. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop() ?? '';
    let place = form;
    for (const part of path) {
      const next = (place[part] ??= {});
      if (typeof next === 'string') throw new Unforeseen(`${key} is a text and a form at once`);
      place = next;
    }
    place[last] = value;
  }
  return form;
}

/** The text at a path such as `items.0.price`, or undefined. */
export function textAt(form: Form, path: string): string | undefined {
  let place: string | Form | undefined = form;
  for (const part of path.split('.')) place = typeof place === 'object' ? place[part] : undefined;
  return typeof place === 'string' ? place : undefined;
}

/** One of the supported texts, or undefined. */
export function wordAt<const T extends string>(form: Form, path: string, words: readonly T[]): T | undefined {
  const value = textAt(form, path);
  const word = words.find((each) => each === value);
  if (value !== undefined && word === undefined) throw new Unforeseen(`${path}=${value}`);
  return word;
}

/** The fields to expand, as a tree: `a.b` is `{a: {b: {}}}`. */
export interface Wants {
  [field: string]: Wants;
}

const depthMax = 4;

/** The fields that a form asks to expand. */
export function wantsIn({ expand }: Form): Wants {
  const wants: Wants = {};
  for (const path of Object.values(expand ?? {}) as string[]) {
    const fields = path.split('.');
    if (fields.length > depthMax) throw new Unforeseen(`expand ${path} is deeper than ${depthMax}`);
    let place = wants;
    for (const field of fields) place = place[field] ??= {};
  }
  return wants;
}

/** Whether to expand a field, and its own fields; every expandable field must be listed. */
export function expansions(wants: Wants, what: string, fields: string[]): Wants {
  const unknown = Object.keys(wants).filter((field) => !fields.includes(field));
  if (unknown.length > 0) throw new Unforeseen(`${what} has no ${unknown.join(', ')} to expand`);
  return wants;
}
