import { Textarea, TextInput } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { replaceProperty } from '../../../test/replaced.ts';
import { Surroundings } from '../../../test/render-app.tsx';
import { presentBrand, showBrand } from '../../brand.ts';
import { type AgeRange, AgeSlider } from './AgeSlider.tsx';
import { CheckField, SelectField, TextArea, TextField } from './Field.tsx';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { CodeField } from './CodeField.tsx';

const choices = [
  { value: '', label: 'Please choose' },
  { value: 'a', label: 'First' },
];

describe('text fields', () => {
  it('take the direction of the typed text', () => {
    render(
      <>
        <TextField label="Line" />
        <TextArea label="Words" />
        <TextInput label="Kit line" />
        <Textarea label="Kit words" />
      </>,
      { wrapper: Surroundings },
    );
    for (const field of screen.getAllByRole('textbox')) expect(field).toHaveAttribute('dir', 'auto');
  });
});

describe('a text area in a browser without field-sizing', () => {
  const height = () => screen.getByRole('textbox').style.height;

  it.each([
    ['typed', 48],
    ['pasted', 3000],
  ])('is as high as its %s text', async (how, scrollHeight) => {
    vi.stubGlobal('CSS', { supports: () => false });
    replaceProperty(Element.prototype, 'scrollHeight', 24);
    render(<TextArea label="Words" />, { wrapper: Surroundings });
    expect(height()).toBe('24px');
    replaceProperty(Element.prototype, 'scrollHeight', scrollHeight);
    await userEvent.click(screen.getByRole('textbox'));
    await (how === 'typed' ? userEvent.keyboard('a') : userEvent.paste('a long text'));
    expect(height()).toBe(`${scrollHeight}px`);
  });

  it('is low again once its text is cleared', () => {
    vi.stubGlobal('CSS', { supports: () => false });
    replaceProperty(Element.prototype, 'scrollHeight', 96);
    const { rerender } = render(<TextArea label="Words" value="four lines" readOnly />, { wrapper: Surroundings });
    expect(height()).toBe('96px');
    replaceProperty(Element.prototype, 'scrollHeight', 24);
    rerender(<TextArea label="Words" value="" readOnly />);
    expect(height()).toBe('24px');
  });
});

describe('native fields', () => {
  it('have their label as name, and their error and description as description', () => {
    render(
      <>
        <TextArea label="Words" description="Up to ten" error="Too long" required />
        <SelectField label="Kind" description="One of them" choices={choices} />
        <CheckField label="Agree" description="You can take it back" error="Needed" />
      </>,
      { wrapper: Surroundings },
    );
    const words = screen.getByRole('textbox', { name: /^Words/ });
    expect(words).toHaveAccessibleDescription('Too long Up to ten');
    expect(words).toBeInvalid();
    expect(words).toBeRequired();
    const kind = screen.getByRole('combobox', { name: 'Kind' });
    expect(kind).toHaveAccessibleDescription('One of them');
    expect(kind).toBeValid();
    expect(screen.getByRole('checkbox', { name: 'Agree' })).toHaveAccessibleDescription('Needed You can take it back');
  });
});

function Controlled() {
  const [value, setValue] = useState('');
  return <CodeField isRecovery={false} value={value} onChange={setValue} />;
}

describe('CodeField', () => {
  it.each([
    ['123 456', '123456'],
    ['١٢٣٤٥٦٧', '123456'],
    ['۱۲۳-۴۵۶', '123456'],
    ['１２３４５６', '123456'],
    ['4F7K-9QXM-2ABC', '4F7K-9QXM-2ABC'],
  ])('reads pasted text "%s" as %s', async (pasted, value) => {
    render(<Controlled />, { wrapper: Surroundings });
    const field = screen.getByRole('textbox', { name: /^Code from your app/ });
    await userEvent.click(field);
    await userEvent.paste(pasted);
    expect(field).toHaveValue(value);
  });
});

describe('an age slider', () => {
  function Ages({ onAge }: { onAge: (age: AgeRange | null) => void }) {
    const [age, setAge] = useState<AgeRange | null>({ min: 25, max: 48 });
    const change = (to: AgeRange | null) => {
      setAge(to);
      onAge(to);
    };
    return <AgeSlider age={age} onChange={change} />;
  }
  const thumb = (name: string) => screen.getByRole<HTMLInputElement>('slider', { name });
  const move = (name: string, to: number) => fireEvent.change(thumb(name), { target: { value: String(to) } });

  it('has two thumbs that never pass each other, and shows the range', () => {
    const ages: unknown[] = [];
    render(<Ages onAge={(age) => ages.push(age)} />, { wrapper: Surroundings });
    expect(screen.getByRole('group', { name: 'Age' })).toHaveTextContent('25 to 48');
    move('Youngest age', 30);
    move('Oldest age', 28);
    expect(ages).toEqual([
      { min: 30, max: 48 },
      { min: 30, max: 30 },
    ]);
  });

  it('has no upper limit at its end, and no range at both ends', () => {
    const ages: unknown[] = [];
    render(<Ages onAge={(age) => ages.push(age)} />, { wrapper: Surroundings });
    move('Oldest age', 80);
    expect(thumb('Oldest age')).toHaveAttribute('aria-valuetext', '80+');
    move('Youngest age', 18);
    expect(ages).toEqual([{ min: 25, max: 120 }, null]);
    expect(screen.getByRole('group', { name: 'Age' })).toHaveTextContent('18 to 80+');
  });

  it.each([
    [30, '30 to 48', '30', '80'],
    [50, '50 to 50', '50', '80'],
    [99, '99 to 99', '99', '119'],
  ])('begins at the minimum age of the service, such as %d, also for ages below it', (minimumAge, words, min, max) => {
    const ages: unknown[] = [];
    showBrand({ ...presentBrand(), minimumAge });
    render(<Ages onAge={(age) => ages.push(age)} />, { wrapper: Surroundings });
    expect(screen.getByRole('group', { name: 'Age' })).toHaveTextContent(words);
    expect(thumb('Youngest age')).toHaveAttribute('min', min);
    expect(thumb('Oldest age')).toHaveAttribute('max', max);
    move('Oldest age', Number(max) - 1);
    move('Oldest age', Number(max));
    expect(ages).toEqual([{ min: minimumAge, max: Number(max) - 1 }, null]);
  });
});
