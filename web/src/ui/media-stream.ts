/** Ends a stream, so that the browser's recording indicator disappears. */
export function stopStream(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Asks for the camera or the microphone, and releases it again if it can't be used after all. */
export async function openStream<T>(wanted: MediaStreamConstraints, begin: (stream: MediaStream) => T): Promise<T> {
  const stream = await navigator.mediaDevices.getUserMedia(wanted);
  try {
    return begin(stream);
  } catch (error) {
    stopStream(stream);
    throw error;
  }
}
