import { type ReactNode, useId, useState } from 'react';
import classes from './form.module.css';

/**
 * The state of a field with suggestions that can be highlighted with arrow keys: the highlighted one, and the
 * attributes of the field.
 */
export function useOptions(count: number, isShown = count > 0) {
  const id = useId();
  const [marked, mark] = useState(0);
  const active = Math.min(marked, count - 1);
  const isOpen = isShown && count > 0;
  return {
    id,
    active,
    mark,
    /** Highlights the next or previous suggestion after an arrow key; returns false for other keys. */
    move: (key: string): boolean => {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
      const next = (active + (key === 'ArrowDown' ? 1 : -1) + count) % Math.max(1, count);
      mark(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
      return true;
    },
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${active}` : undefined,
      autoComplete: 'off',
      spellCheck: false,
    } as const,
  };
}

interface OptionsProps {
  of: ReturnType<typeof useOptions>;
  label: string;
  /** Shows the options over the content below the field instead of moving it. */
  isFloating?: boolean;
  options: readonly { key: string; content: ReactNode }[];
  onChoose: (index: number) => void;
}

/** The list of suggestions for a field. */
export function Options({ of: { id, active, mark }, label, isFloating, options, onChoose }: OptionsProps) {
  return (
    <ul id={id} role="listbox" aria-label={label} className={classes.list} data-floating={isFloating || undefined}>
      {options.map(({ key, content }, index) => (
        <li
          key={key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={classes.option}
          onPointerMove={() => mark(index)}
          // Pressing must not take the focus from the field, because the list would disappear before the click.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(index);
          }}
        >
          {content}
        </li>
      ))}
    </ul>
  );
}
