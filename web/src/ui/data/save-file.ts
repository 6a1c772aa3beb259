/** Has the browser save bytes under a name. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address when the click is handled, so it may go in the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
