import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../src');

/** Names, keyboard keys, and values of the contract. */
const untranslated =
  /^((Ctrl|Alt)( \w+)?|Enter|· Node|American Express|Diners Club|Support team|Inappropriate Content)$/;
/** Attributes whose text is shown or read out. */
const shown = /^(label|title|aria-label|placeholder|description|alt|text|hint|lead|legend|confirm|\w+Text)$/;
const isSentence = (text: string) => /^\p{Lu}.*\p{L} \p{L}/u.test(text);
const isWord = (text: string) => /\p{L}{2}/u.test(text);

/** Whether a string is part of a text for a catalogue, of an error for the log, or a key. */
function isExcused(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isLiteralTypeNode(parent) || ts.isBinaryExpression(parent)) return true;
  for (let outer = parent; !ts.isSourceFile(outer); outer = outer.parent) {
    if (ts.isTaggedTemplateExpression(outer)) return true;
    if (ts.isNewExpression(outer) && /Error|Exception/.test(outer.expression.getText())) return true;
    if (ts.isCallExpression(outer) && /^(msg|plural|super)$/.test(outer.expression.getText())) return true;
  }
  return false;
}

/** The visible words in a file that are missing from the catalogues. */
function visibleIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const text = ts.isJsxText(node) || ts.isStringLiteralLike(node) ? node.text.trim() : '';
    const isShown =
      ts.isJsxText(node) || (ts.isJsxAttribute(node.parent) && shown.test(node.parent.name.getText()))
        ? isWord(text)
        : isSentence(text) && !isExcused(node);
    if (isShown && !untranslated.test(text)) found.push(`${file}: ${text}`);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

it('every word that people see is in a catalogue', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] });
  expect(files.flatMap(visibleIn)).toEqual([]);
});
