import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { type KeyboardEvent, useId, useRef } from 'react';
import { formatNumber } from '../text/format.ts';
import { ErrorText, HintText } from '../form/Field.tsx';
import { digitsOf } from '../form/form-values.ts';
import type { useFields } from '../form/use-form.ts';
import { type BirthDateForm, type DatePart, isOldEnough, orderOfParts, partDigits, typedAge } from './birth-date.ts';
import { stepTitleId, useFirstField } from './StepPage.tsx';
import fields from '../form/Field.module.css';
import classes from './steps.module.css';

/** After this digit, a day or month has no second one. */
const lastFirstDigit = { day: 3, month: 1, year: 9 };
const isWhole = (part: DatePart, typed: string) =>
  typed.length >= partDigits[part] || (part !== 'year' && Number(typed) > lastFirstDigit[part]);

interface BirthDateFieldsProps {
  fields: Pick<ReturnType<typeof useFields<BirthDateForm>>, 'bind' | 'set' | 'values'>;
}

/**
 * Three boxes for a birth date in the reader's order. A full box moves the focus to the next one, a pasted date fills all of them, and the
 * resulting age is shown.
 */
export function BirthDateFields({ fields: { bind, set, values } }: BirthDateFieldsProps) {
  const id = useId();
  const first = useFirstField();
  const boxes = useRef(new Map<DatePart, HTMLInputElement | null>());
  const parts = orderOfParts();
  const labels: Record<DatePart, string> = { day: t`Day`, month: t`Month`, year: t`Year` };
  const error = parts.map((part) => bind(part).error).find(Boolean);
  const age = typedAge(values);

  function fill(part: DatePart, typed: string) {
    const length = partDigits[part];
    set(part, typed.slice(0, length));
    const next = parts[parts.indexOf(part) + 1];
    if (next === undefined || !isWhole(part, typed)) return;
    // One digit too many is a typo, more are a pasted date.
    if (typed.length > length + 1) fill(next, typed.slice(length));
    else boxes.current.get(next)?.focus();
  }

  function goBack(part: DatePart, event: KeyboardEvent) {
    if (event.key !== 'Backspace' || values[part] !== '') return;
    event.preventDefault();
    boxes.current.get(parts[parts.indexOf(part) - 1] ?? part)?.focus();
  }

  return (
    <div>
      <div role="group" aria-labelledby={stepTitleId} className={classes.date}>
        {parts.map((part, index) => (
          <label key={part} className={classes.part} data-part={part}>
            {labels[part]}
            <input
              {...bind(part)}
              ref={(box) => {
                boxes.current.set(part, box);
                if (index === 0) first.current = box;
              }}
              className={`${fields.control} ${classes.field}`}
              inputMode="numeric"
              autoComplete={`bday-${part}`}
              required
              aria-invalid={bind(part).error ? true : undefined}
              aria-describedby={`${id}-error ${id}-age`}
              onChange={(event) => fill(part, digitsOf(event.currentTarget.value))}
              onKeyDown={(event) => goBack(part, event)}
            />
          </label>
        ))}
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <Text id={`${id}-age`} role="status" mih="2.2rem" mt="0.9rem" fz="title" ff="heading">
        {age !== null && isOldEnough(values) && t`You're ${{ age: formatNumber(age) }}. Right?`}
      </Text>
      <HintText>{t`Others only see your age.`}</HintText>
    </div>
  );
}
