import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { TextBlock, TextRun } from '#contract/service/texts.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import classes from './texts.module.css';

function Run({ run: { text, isBold, isItalic, href } }: { run: TextRun }) {
  const styled = isItalic ? <em>{text}</em> : text;
  const words = isBold ? <strong>{styled}</strong> : styled;
  if (href === undefined) return words;
  if (href.startsWith('/')) return <Link to={href}>{words}</Link>;
  return (
    <a href={href} rel="noopener noreferrer" target={href.startsWith('https:') ? '_blank' : undefined}>
      {words}
    </a>
  );
}

// Texts never change while they are shown, so the position identifies their parts.
const runsOf = (runs: readonly TextRun[]) => runs.map((run, index) => <Run key={index} run={run} />);
const itemsOf = (lines: TextBlock['lines']) => lines.map((runs, index) => <li key={index}>{runsOf(runs)}</li>);

function Block({ block: { kind, lines } }: { block: TextBlock }) {
  const [first = []] = lines;
  switch (kind) {
    case 'heading2':
      return <h2>{runsOf(first)}</h2>;
    case 'heading3':
      return <h3>{runsOf(first)}</h3>;
    case 'bullets':
      return <ul>{itemsOf(lines)}</ul>;
    case 'numbers':
      return <ol>{itemsOf(lines)}</ol>;
    case 'paragraph':
      return <p>{runsOf(first)}</p>;
  }
}

interface Section {
  heading: TextBlock | null;
  blocks: TextBlock[];
}

function sectionsOf(blocks: readonly TextBlock[]): Section[] {
  const sections: Section[] = [{ heading: null, blocks: [] }];
  for (const block of blocks) {
    if (block.kind === 'heading2') sections.push({ heading: block, blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  }
  return sections.filter(({ heading, blocks: own }) => heading !== null || own.length > 0);
}

interface TextBlocksProps {
  blocks: readonly TextBlock[];
  /** Shows each section as a question that opens its answer. */
  isFolded: boolean;
}

/** A text that the owner published, section by section. */
export function TextBlocks({ blocks, isFolded }: TextBlocksProps) {
  return sectionsOf(blocks).map(({ heading, blocks: own }, index) => {
    const content: ReactNode = own.map((block, at) => <Block key={at} block={block} />);
    const title = heading?.lines[0]?.map(({ text }) => text).join('');
    return isFolded && title !== undefined ? (
      <Disclosure key={index} title={title}>
        <div className={classes.text}>{content}</div>
      </Disclosure>
    ) : (
      <section key={index} className={classes.section}>
        {heading && <Block block={heading} />}
        {content}
      </section>
    );
  });
}
