"""A small TCP proxy between processes and their server, to cut, slow down or silence the line."""

import asyncio
import contextlib


class Proxy:
    """Forwards bytes, until told otherwise."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.speaking = asyncio.Event()
        self.speaking.set()
        self.refusing = False
        self.delay_s = 0.0
        self.writers: set[asyncio.StreamWriter] = set()
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        self.server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return f"redis://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/0"

    def cut(self) -> None:
        """Drop every connection; new ones are accepted."""
        for writer in list(self.writers):
            writer.transport.abort()

    async def stop(self) -> None:
        self.server.close()
        self.cut()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tasks.add(task := asyncio.current_task())
        self.writers.add(writer)
        try:
            if self.refusing:
                return
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(there_writer)
            await asyncio.gather(self._copy(reader, there_writer), self._copy(there_reader, writer))
        except OSError:
            pass
        finally:
            with contextlib.suppress(OSError, UnboundLocalError):
                there_writer.transport.abort()
                self.writers.discard(there_writer)
            writer.transport.abort()
            self.writers.discard(writer)
            self.tasks.discard(task)

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            await self.speaking.wait()  # as on a half-open line: nothing arrives, and nobody is told
            sink.write(data)
            await sink.drain()
        sink.transport.abort()
