import { describe, expect, it } from 'vitest';
import { blocksOf, outlineOf, problemOf } from './markdown.ts';

const problem = (markdown: string) => problemOf(markdown)?.message ?? null;

describe('blocksOf', () => {
  it('turns sections, paragraphs and lists into blocks', () => {
    expect(
      blocksOf('Hello.\n\n## What we *do*\n\nOne\ntwo\n\n- a **b**\n- [c](/faqs)\n\n1. d\n\n### Part\n\nEnd'),
    ).toEqual([
      { kind: 'paragraph', lines: [[{ text: 'Hello.' }]] },
      { kind: 'heading2', lines: [[{ text: 'What we ' }, { text: 'do', isItalic: true }]] },
      { kind: 'paragraph', lines: [[{ text: 'One\ntwo' }]] },
      { kind: 'bullets', lines: [[{ text: 'a ' }, { text: 'b', isBold: true }], [{ text: 'c', href: '/faqs' }]] },
      { kind: 'numbers', lines: [[{ text: 'd' }]] },
      { kind: 'heading3', lines: [[{ text: 'Part' }]] },
      { kind: 'paragraph', lines: [[{ text: 'End' }]] },
    ]);
  });

  it('treats characters with a meaning in HTML as text', () => {
    expect(blocksOf('a & b \\* "c" &lt;')).toEqual([
      { kind: 'paragraph', lines: [[{ text: 'a & b ' }, { text: '*' }, { text: ' "c" &lt;' }]] },
    ]);
  });
});

describe('problemOf', () => {
  it.each([
    '## One\n\nText',
    'An introduction.\n\n## One\n\n- a\n- b\n\n### Part\n\nText with [a link](https://example.org/?a=b&c) and **words**.',
    'Our rules\r\n-----\r\n\r\nText',
    `## One\r\n\r\n${'**a** b\r\n\r\n'.repeat(60)}`,
    '## Eins\n\nSchreib an [uns](mailto:hilfe@example.org) oder [ruf an](tel:+431234).',
  ])('accepts %j', (markdown) => expect(problem(markdown)).toBeNull());

  it.each([
    ['Only words.', 'at least one section'],
    ['# Title\n\nText', 'Sections begin with'],
    ['### Part\n\nText', 'Sections begin with'],
    ['## One\n\nText\n\n#### Deep\n\nText', 'Sections begin with'],
    ['## One\n\n## Two\n\nText', 'below the heading'],
    ['## One\n\nText\n\n## Two', 'below the heading'],
    ['##\n\nText', 'A heading is empty'],
    ['## One\n\n<script>alert(1)</script>', 'can’t be shown'],
    ['## One\n\nText <b onclick="x()">bold</b>', 'can’t be shown'],
    ['## One\n\n![a](https://example.org/a.png)', 'can’t be shown'],
    ['## One\n\n| a |\n|---|\n| b |', 'can’t be shown'],
    ['## One\n\n> quoted', 'can’t be shown'],
    ['## One\n\n```\ncode\n```', 'can’t be shown'],
    ['## One\n\n- a\n  - b', 'can’t be shown'],
    ['## One\n\n- [ ] a task', 'can’t be shown'],
    ['## One\n\nA `code`', 'can’t be shown'],
    ['## One\n\n---', 'can’t be shown'],
    ['## One\n\n[a](javascript:alert(1))', 'Links begin with'],
    ['## One\n\n[a](JaVaScRiPt&#58;alert(1))', 'Links begin with'],
    ['## One\n\n[a](http://example.org)', 'Links begin with'],
    ['## One\n\n[a](//example.org)', 'Links begin with'],
    ['## One\n\n[a](/\\example.org)', 'Links begin with'],
    ['## One\n\n[a](</\t/example.org>)', 'Links begin with'],
    ['## One\n\n[a](data:text/html,x)', 'Links begin with'],
    ['## One\n\n4. Payment\n5. Refunds', 'begins with 1'],
    ['## One\n\n0. Nothing', 'begins with 1'],
    ['## One\n\n2026. was the year', 'begins with 1'],
    ['## One\n\nA [](https://example.org) link', 'has no words'],
    ['## One\n\n- [ ](https://example.org)', 'has no words'],
    ['## One\n\n[*deep* **[a](vbscript:x)**](/faqs)', ''],
  ])('refuses %j', (markdown, words) => expect(problem(markdown)).toContain(words));

  it.each(['_a_', '*_a', '*a **b', '[', '<', '> ', '1. ', '- '])('rejects a paragraph of many %j', (signs) => {
    expect(problem(`## One\n\n${signs.repeat(10_000)}a`)).toContain('can’t be shown');
  });
});

describe('outlineOf', () => {
  it('is the same for translations and differs if a section is missing', () => {
    expect(outlineOf('## One\n\nText\n\n### Part\n\nText')).toBe(outlineOf('## Eins\n\nMehr\n\n### Teil\n\n- Text'));
    expect(outlineOf('## One\n\nText')).not.toBe(outlineOf('## One\n\nText\n\n## Two\n\nText'));
  });
});
